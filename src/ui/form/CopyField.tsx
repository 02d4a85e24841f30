import { useState } from 'react'
import { Button } from '../Button.tsx'
import { Field, JOINED_INPUT } from './Field.tsx'

interface Props {
  label: string
  hint?: string
  /** As it is read. */
  shown: string
  /** As it is used. */
  text: string
}

/** Shows the whole text, to be typed elsewhere; no taller than needed where the browser can tell. */
const COPIED_TEXT = `${JOINED_INPUT} field-sizing-content resize-none py-2 font-mono`

/** Something to be carried elsewhere, by the clipboard or by eye. */
export function CopyField({ label, hint, shown, text }: Props) {
  const { copy, said } = useCopy(text)
  return (
    <Field label={label} hint={hint}>
      {(links) => (
        <div>
          <div className="flex">
            <textarea className={COPIED_TEXT} readOnly rows={2} spellCheck={false} value={shown} {...links} />
            <Button shape="joined" aria-label={`Copy: ${label}`} onClick={copy}>
              Copy
            </Button>
          </div>
          <div className="text-muted" role="status">
            {said}
          </div>
        </div>
      )}
    </Field>
  )
}

/** Copies `text` and tells what came of it; `said` is empty before the first press. */
export function useCopy(text: string): { copy: () => void; done: boolean; said: string } {
  const [outcome, setOutcome] = useState<{ of: string; said: string }>()
  const copy = () => {
    const tell = (said: string) => () => setOutcome({ of: text, said })
    void write(text).then(tell(COPIED), tell(REFUSED))
  }
  // Another text beside the same button was not copied yet.
  const said = outcome?.of === text ? outcome.said : ''
  return { copy, done: said === COPIED, said }
}

const COPIED = 'Copied.'
const REFUSED = 'This browser does not allow copying here. Select the text and copy it by hand.'

/** Outside of secure contexts there is no clipboard at all. */
async function write(text: string): Promise<void> {
  await navigator.clipboard.writeText(text)
}
