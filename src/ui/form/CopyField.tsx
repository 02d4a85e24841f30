import { Button } from '../Button.tsx'
import { Field } from './Field.tsx'
import { useCopy } from '../useCopy.ts'

interface Props {
  label: string
  /** As it is read. */
  shown: string
  /** As it is used. */
  text: string
}

/** Something to be carried elsewhere, by the clipboard or by eye. */
export function CopyField({ label, shown, text }: Props) {
  const { copy, said } = useCopy(text)
  return (
    <Field label={label}>
      {(links) => (
        <div>
          <div className="with-end">
            <textarea className="input copied" readOnly rows={2} spellCheck={false} value={shown} {...links} />
            <Button aria-label={`Copy: ${label}`} onClick={copy}>
              Copy
            </Button>
          </div>
          <div className="hint" role="status">
            {said}
          </div>
        </div>
      )}
    </Field>
  )
}
