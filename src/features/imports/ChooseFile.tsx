import { useRef, useState } from 'react'
import { FileFrame, FileInput } from '../../blocks/uploads/FileBox.tsx'
import { LIMITS } from '../../contract/limits.ts'
import { formatCount } from '../../domain/quantities.ts'
import { formatFullDay, startOfDay } from '../../domain/singaporeTime.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Panel, Stack } from '../../ui/Panel.tsx'
import type { ImportKind } from './importKinds.ts'
import { saveTemplate } from './importRows.ts'
import { bothDays, type DayOrder } from './readDays.ts'
import { readImportFile, type ImportFile } from './readImportFile.ts'

interface Props {
  kind: ImportKind
  onFile: (file: ImportFile) => void
}

/** Reads the chosen file on this device, also offline. Nothing is sent. */
export function ChooseFile({ kind, onFile }: Props) {
  const [failure, setFailure] = useState<string>()
  const [question, setQuestion] = useState<{ file: File; unclear: string }>()
  const [reading, setReading] = useState(false)
  const read = async (file: File, order?: DayOrder) => {
    if (reading) return
    setFailure(undefined)
    setQuestion(undefined)
    setReading(true)
    const found = await readImportFile(kind.columns, file, order)
    setReading(false)
    if ('failure' in found) setFailure(found.failure)
    else if ('unclear' in found) setQuestion({ file, unclear: found.unclear })
    else onFile(found)
  }
  return (
    <Stack>
      {failure !== undefined && (
        <Notice tone="danger" role="alert" title="The file was not accepted">
          <p>{failure}</p>
        </Notice>
      )}
      {question && (
        <Notice tone="warn" role="alert" title="Which day is meant?">
          <p>{`The file says ${question.unclear}. Your choice applies to all its days.`}</p>
          <div className="mt-2 flex flex-wrap gap-2">
            {bothDays(question.unclear).map(({ order, day }) => (
              <Button key={order} onClick={() => void read(question.file, order)}>
                {formatFullDay(startOfDay(day))}
              </Button>
            ))}
          </div>
        </Notice>
      )}
      <FileDrop reading={reading} onFile={(file) => void read(file)} />
      <Panel
        title="What the file needs"
        action={
          <Button variant="quiet" className="-mr-2" icon={ICONS.download} onClick={() => void saveTemplate(kind)}>
            Download template
          </Button>
        }
      >
        <ColumnList kind={kind} />
      </Panel>
    </Stack>
  )
}

/** File endings, and the media types of CSV on Android and Windows, whose pickers grey out other files. */
const ACCEPTED = [
  '.csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values',
  'text/comma-separated-values,text/x-csv,application/csv,application/x-csv,application/vnd.ms-excel',
].join()

function FileDrop({ reading, onFile }: { reading: boolean; onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <FileFrame
      look="drop"
      onDropped={onFile}
      sign={<Icon drawing={ICONS.file} className="text-muted" />}
      what={
        <span className="text-muted">
          {`Drop a CSV file here, or choose one. At most ${formatCount(LIMITS.importRows)} rows and ${LIMITS.importMb} MB.`}
        </span>
      }
      acts={
        <Button variant="primary" busy={reading} onClick={() => input.current?.click()}>
          Choose file
        </Button>
      }
    >
      <FileInput ref={input} accept={ACCEPTED} label="CSV file" onFile={onFile} />
    </FileFrame>
  )
}

function ColumnList({ kind }: { kind: ImportKind }) {
  const titles = (needed: boolean) =>
    kind.columns.filter((column) => column.needed === needed).map(({ title }) => title)
  const optional = titles(false)
  return (
    <div className="grid gap-2 p-4">
      <p>
        {`The first row names the columns in any order, separated by commas, semicolons or tabs: ${titles(true).join(', ')}.`}
      </p>
      {optional.length > 0 && (
        <p>
          {`Optional: ${optional.join(', ')}. A row with a first and a last day becomes an adhoc branch. Without operating hours, a branch has those of the organisation.`}
        </p>
      )}
      {kind.givesPasswords && (
        <p>Passwords are never in the file: the server makes them, and you save them at the end.</p>
      )}
    </div>
  )
}
