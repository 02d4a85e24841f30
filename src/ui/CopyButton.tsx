import { Button } from './Button.tsx'
import { useCopy } from './form/CopyField.tsx'

/** Beside something that is carried elsewhere: a number, an address. `what` names it for whoever does not see it. */
export function CopyButton({ what, text }: { what: string; text: string }) {
  const { copy, done, said } = useCopy(text)
  return (
    <>
      <Button variant="quiet" icon={done ? 'check' : undefined} aria-label={`Copy ${what}`} title={said} onClick={copy}>
        {done ? 'Copied' : 'Copy'}
      </Button>
      <span className="hide" role="status">
        {said}
      </span>
    </>
  )
}
