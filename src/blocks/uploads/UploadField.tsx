import { useEffect, useRef } from 'react'
import { LIMITS } from '../../contract/limits.ts'
import type { UploadKind } from '../../contract/uploads.ts'
import type { Elements } from '../../ui/Elements.ts'
import { FieldSet } from '../../ui/form/CheckboxField.tsx'
import { FieldNotes, useControlLinks } from '../../ui/form/Field.tsx'
import { useOffline } from '../connectivity/useOffline.ts'
import { lazyDialog } from '../lazy/lazyDialog.tsx'
import { FileBox, FileInput, type SavedFile } from './FileBox.tsx'
import type { Upload } from './Upload.ts'
import { useUpload, type Presign } from './useUpload.ts'

const LogoCropper = lazyDialog(
  async () => (await import('./LogoCropper.tsx')).LogoCropper,
  ({ onCancel }) => onCancel,
)

interface Props<K extends UploadKind> {
  kind: K
  label: string
  /** Asks the server where to send the file: `presignOwn`, or the public call of a visitor. */
  presign: Presign<K>
  id?: string
  name?: string
  value: Upload | null
  onChange: (value: Upload | null) => void
  onBlur?: () => void
  error?: string
  className?: string
  /** The saved file, which stays in use until another file is chosen. */
  saved?: SavedFile | undefined
  /** Shown if `presign` has to ask the person something. */
  children?: Elements
}

/**
 * Takes a chosen or dropped file, checks it, lets the person crop it, and uploads it at once. The value is the uploaded file. A
 * refusal appears in place of the form's errors, in the words of the spec.
 */
export function UploadField<K extends UploadKind>(props: Props<K>) {
  const { kind, label, presign, id, value, onChange, error, className, saved, children } = props
  const { accept, hint, crop } = FILE_KINDS[kind]
  const { stage, choose, cancel, setStage, refuseUnreadable } = useUpload({ kind, presign, onUploaded: onChange })
  const offline = useOffline()
  const dialog = useRef<HTMLInputElement>(null)
  const field = useRef<HTMLFieldSetElement>(null)

  // Cropper and small buttons may disappear with the focus, so the first button, which is always there, gets it.
  const focusFirst = () => field.current?.querySelector('button')?.focus()
  const cropping = stage.is === 'cropping'
  const wasCropping = useRef(false)
  useEffect(() => {
    if (wasCropping.current && !cropping) focusFirst()
    wasCropping.current = cropping
  }, [cropping])
  const andFocus = (act: () => void) => () => {
    act()
    focusFirst()
  }

  const refusal = 'message' in stage ? stage.message : undefined
  const missing = cropping ? error && 'Press “Use this part” first.' : undefined
  const said = missing ?? refusal ?? (stage.is === 'idle' ? error : undefined)
  const links = useControlLinks(id, hint, said)
  return (
    <FieldSet ref={field} label={label} className={className} {...links}>
      <FieldNotes id={links.id} label={label} hint={hint} error={said} />
      <FileInput ref={dialog} accept={accept} label={label} onFile={choose} />
      {stage.is === 'cropping' && crop ? (
        <LogoCropper
          file={stage.file}
          size={crop}
          onCropped={choose}
          onUnreadable={() => refuseUnreadable(stage.file)}
          onCancel={() => setStage({ ...stage, is: 'refused', mendable: true })}
        />
      ) : (
        <FileBox
          stage={stage}
          value={value}
          saved={saved}
          offline={offline}
          kind={kind}
          cancel={andFocus(cancel)}
          onChoose={() => dialog.current?.click()}
          onCrop={() => stage.is === 'refused' && setStage({ ...stage, is: 'cropping' })}
          onRemove={andFocus(() => onChange(null))}
          onDropped={choose}
        />
      )}
      {children}
    </FieldSet>
  )
}

interface FileKind {
  /** Filters the browser's file dialog. `inspectFile` checks the content. */
  accept: string
  hint: string
  /** The size in pixels that the cropper produces; only for images. */
  crop?: { width: number; height: number }
}

const {
  brandLogoKb,
  brandLogoLeastWidth,
  brandLogoLeastHeight,
  profileLogoKb,
  profileLogoWidth,
  profileLogoHeight,
  agreementMb,
} = LIMITS

/** Says which file is needed before one is chosen (rule 13.3). */
const FILE_KINDS: Record<UploadKind, FileKind> = {
  brand_logo: {
    accept: '.jpg,.jpeg,.png,image/jpeg,image/png',
    hint: `JPEG or PNG, 3:2, at least ${brandLogoLeastWidth} × ${brandLogoLeastHeight} px, under ${brandLogoKb}KB. Best is 160 × 107 px, under 50KB.`,
    crop: { width: 160, height: 107 },
  },
  profile_logo: {
    accept: '.jpg,.jpeg,.png,image/jpeg,image/png',
    hint: `JPEG or PNG, at most ${profileLogoWidth} × ${profileLogoHeight} px and ${profileLogoKb}KB.`,
    crop: { width: profileLogoWidth, height: profileLogoHeight },
  },
  merchant_agreement: { accept: '.pdf,application/pdf', hint: `PDF only, under ${agreementMb}MB.` },
}
