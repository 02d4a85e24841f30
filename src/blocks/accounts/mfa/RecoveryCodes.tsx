import { useState } from 'react'
import { formatInstant } from '../../../domain/singaporeTime.ts'
import { Button } from '../../../ui/Button.tsx'
import { Check } from '../../../ui/form/CheckboxField.tsx'
import { useCopy } from '../../../ui/form/CopyField.tsx'
import { ICONS } from '../../../ui/icons.tsx'
import { saveFile } from '../../downloads/saveFile.ts'
import { useUnsavedWork } from '../../drafts/useUnsavedWork.ts'

interface Props {
  codes: readonly string[]
  /** Named in the file, where it is known. */
  loginName: string
  saved: boolean
  onSaved: (saved: boolean) => void
}

/** The one time that recovery codes are shown. */
export function RecoveryCodes({ codes, loginName, saved, onSaved }: Props) {
  useUnsavedWork('recovery-codes', true)
  const { copy, said } = useCopy(codes.join('\n'))
  const [refused, setRefused] = useState(false)
  const download = () => void saveFile(fileOf(codes, loginName)).then((outcome) => setRefused(outcome === 'refused'))
  return (
    <>
      <p>
        Without your authenticator app, each of these codes logs you in once. Keep them where only you find them: they
        are not shown again.
      </p>
      <ul
        className="grid grid-cols-[repeat(auto-fill,minmax(12rem,1fr))] gap-x-4 gap-y-2 rounded-2 border border-border bg-surface-sunken p-4 font-mono"
        aria-label="Recovery codes"
      >
        {codes.map((code) => (
          // One press takes a whole code.
          <li key={code} className="select-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-2">
        <Button icon={ICONS.download} onClick={download}>
          Download
        </Button>
        <Button onClick={copy}>Copy</Button>
        <span className="text-muted" role="status">
          {refused ? 'The file could not be saved. Copy the codes.' : said}
        </span>
      </div>
      <Check checked={saved} onChange={(event) => onSaved(event.target.checked)}>
        I have saved these codes
      </Check>
    </>
  )
}

function fileOf(codes: readonly string[], loginName: string): File {
  const lines = [
    `HRP Merchant Portal: recovery codes${loginName && ` of ${loginName}`}`,
    `Made on ${formatInstant(new Date())}. Each works once. Those made before do not work any more.`,
    '',
    ...codes,
  ]
  return new File([`${lines.join('\n')}\n`], 'recovery-codes.txt', { type: 'text/plain' })
}
