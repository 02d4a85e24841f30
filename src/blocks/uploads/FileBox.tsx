import { useState, type DragEvent, type ReactNode, type Ref } from 'react'
import type { UploadKind } from '../../contract/uploads.ts'
import { formatBytes } from '../../domain/quantities.ts'
import { Actions, Button } from '../../ui/Button.tsx'
import type { Elements } from '../../ui/Elements.ts'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import type { Upload } from './Upload.ts'
import type { UploadStage } from './useUpload.ts'

export interface SavedFile {
  name: string
  /** The address of a small picture. */
  preview?: string | undefined
}

interface Props {
  kind: UploadKind
  stage: UploadStage
  value: Upload | null
  saved?: SavedFile | undefined
  offline: boolean
  cancel: () => void
  onChoose: () => void
  onCrop: () => void
  onRemove: () => void
  onDropped: (file: File) => void
}

/** Shows the file and the actions on it. The first button is the same element in every stage, so that it keeps the focus. */
export function FileBox(props: Props) {
  const { stage, value, saved, offline, kind, onDropped } = props
  const shownFile = value ?? saved
  const arrived = stage.is === 'idle' && shownFile !== undefined
  const resting = stage.is !== 'checking' && stage.is !== 'sending'
  return (
    <FileFrame
      look={arrived || !resting ? 'file' : 'drop'}
      onDropped={offline ? undefined : onDropped}
      sign={
        arrived && shownFile.preview ? (
          <Thumbnail src={shownFile.preview} />
        ) : (
          <Icon drawing={kind === 'merchant_agreement' ? ICONS.file : ICONS.image} className="text-muted" />
        )
      }
      what={
        <>
          <FileState stage={stage} value={value} saved={saved} />
          {offline && resting && <p className="text-muted">Uploading needs a connection.</p>}
        </>
      }
      acts={<FileActions {...props} />}
    >
      {stage.is === 'sending' && (
        <ProgressBar className="basis-full" label={`Uploading ${stage.file.name}`} value={shareOf(stage)} />
      )}
      <span className="sr-only" role="status">
        {spokenState(stage, value)}
      </span>
    </FileFrame>
  )
}

const FRAME_LOOKS = {
  file: 'border-border',
  drop: 'border-dashed border-border-control in-aria-invalid:border-danger-control',
  over: 'border-dashed border-focus bg-surface-hover in-aria-invalid:border-danger-control',
} as const

interface FileFrameProps {
  look: 'file' | 'drop'
  /** Missing while no file can be taken. */
  onDropped: ((file: File) => void) | undefined
  sign: Elements
  what: ReactNode
  acts: ReactNode
  children?: Elements
}

/** Shows a file, or a place to drop one: its icon, its text, and the actions on it. */
export function FileFrame({ look, onDropped, sign, what, acts, children }: FileFrameProps) {
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file) onDropped?.(file)
  }
  return (
    // Dropping a file does the same as the button inside.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={`flex flex-wrap items-center gap-x-3 gap-y-2 rounded-2 border px-4 py-3 ${FRAME_LOOKS[isOver && look === 'drop' ? 'over' : look]}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(onDropped !== undefined)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {sign}
      <div className="min-w-0 flex-[1_1_8rem] wrap-anywhere">{what}</div>
      <Actions className="ml-auto">{acts}</Actions>
      {children}
    </div>
  )
}

interface FileInputProps {
  ref: Ref<HTMLInputElement>
  accept: string
  label: string
  onFile: (file: File) => void
}

/** Opens the browser's file dialog when a button clicks it. */
export const FileInput = ({ ref, accept, label, onFile }: FileInputProps) => (
  <input
    ref={ref}
    hidden
    type="file"
    accept={accept}
    aria-label={label}
    onChange={({ currentTarget }) => {
      const file = currentTarget.files?.[0]
      // An emptied input reports a change even if the same file is chosen again.
      currentTarget.value = ''
      if (file) onFile(file)
    }}
  />
)

/** A small picture of the file, on white in the dark theme too, because logos are made for paper. */
export const Thumbnail = ({ src }: { src: string }) => (
  <img
    className="h-12 w-[4.5rem] flex-none rounded-1 border border-border bg-verdict-text object-contain"
    data-thumbnail
    src={src}
    alt=""
  />
)

function FileState({ stage, value, saved }: Pick<Props, 'stage' | 'value' | 'saved'>) {
  if (stage.is === 'idle') {
    if (!value && saved) return <NameAndState name={saved.name} state="Saved" />
    if (!value) return <span className="text-muted">Drop a file here, or choose one.</span>
    return <NameAndState name={value.filename} state={`${formatBytes(value.size)}, uploaded`} />
  }
  const { file } = stage
  if (stage.is === 'checking') return <NameAndState name={file.name} state="Checking" />
  if (stage.is !== 'sending') return <NameAndState name={file.name} state={formatBytes(file.size)} />
  const sent = Math.min(stage.sent, file.size)
  return <NameAndState name={file.name} state={`Uploading, ${formatBytes(sent)} of ${formatBytes(file.size)}`} />
}

const NameAndState = ({ name, state }: { name: string; state: string }) => (
  <>
    <b className="font-strong">{name}</b>
    <br />
    <span className="text-muted">{state}</span>
  </>
)

function FileActions({ stage, value, saved, offline, cancel, onChoose, onCrop, onRemove }: Props) {
  const blocked = offline || undefined
  const first = (word: string, act: () => void, still?: boolean) => (
    <Button key="first" onClick={act} aria-disabled={still}>
      {word}
    </Button>
  )
  const quiet = (word: string, act: () => void, still?: boolean) => (
    <Button key={word} variant="quiet" onClick={act} aria-disabled={still}>
      {word}
    </Button>
  )
  switch (stage.is) {
    case 'checking':
    case 'sending':
      return [first('Cancel', cancel)]
    case 'failed':
      return [first('Try again', stage.again, blocked), quiet('Cancel', cancel)]
    case 'cropping':
      return []
    case 'refused': {
      const mend = stage.mendable ? [quiet('Crop to fit', onCrop, blocked)] : []
      return [first('Choose another file', onChoose, blocked), ...mend, quiet('Cancel', cancel)]
    }
    case 'idle':
      return value || saved
        ? [first('Replace', onChoose, blocked), quiet('Remove', onRemove)]
        : [first('Choose file', onChoose, blocked)]
  }
}

const shareOf = ({ sent, file }: { sent: number; file: File }) => Math.min(sent / file.size, 1)

/** Returns the text for screen readers, without the numbers, which change too often. */
function spokenState(stage: UploadStage, value: Upload | null): string {
  if (stage.is === 'sending') return 'Uploading'
  return stage.is === 'idle' && value ? `${value.filename} uploaded` : ''
}
