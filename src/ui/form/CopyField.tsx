import { useState } from 'react'
import { Button } from '../Button.tsx'
import { Field, JOINED_INPUT } from './Field.tsx'

interface Props {
  label: string
  hint?: string
  /** The text as a person reads it. */
  shown: string
  /** The text that is copied. */
  text: string
}

/** Shows the whole text, so that it can be typed elsewhere. Where the browser supports it, it is no taller than the text. */
const COPIED_TEXT = `${JOINED_INPUT} field-sizing-content resize-none py-2 font-mono`

/** A text to take elsewhere, by the clipboard or by hand. */
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

/** Returns `copy`, which copies `text`, and the result of the last press. `said` is empty before the first press. */
export function useCopy(text: string): { copy: () => void; done: boolean; said: string } {
  const [outcome, setOutcome] = useState<{ copied: string; said: string }>()
  const copy = () => {
    const showResult = (said: string) => () => setOutcome({ copied: text, said })
    void copyToClipboard(text).then(showResult(COPIED), showResult(REFUSED))
  }
  // The result belongs to one text: if the button gets another text, that one is not copied yet.
  const said = outcome?.copied === text ? outcome.said : ''
  return { copy, done: said === COPIED, said }
}

const COPIED = 'Copied.'
const REFUSED = 'This browser does not allow copying here. Select the text and copy it by hand.'

/** Rejects outside secure contexts, where there is no clipboard. */
async function copyToClipboard(text: string): Promise<void> {
  await navigator.clipboard.writeText(text)
}
