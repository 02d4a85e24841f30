import { Button } from './Button.tsx'
import { useCopy } from './form/CopyField.tsx'
import { ICONS } from './icons.tsx'

/** Copies a number or an address. `what` names it for screen readers. */
function CopyButton({ what, text }: { what: string; text: string }) {
  const { copy, done, said } = useCopy(text)
  const word = done ? 'Copied' : 'Copy'
  return (
    <>
      <Button
        variant="quiet"
        icon={done ? ICONS.check : undefined}
        aria-label={`${word} ${what}`}
        title={said}
        onClick={copy}
      >
        {word}
      </Button>
      <span className="sr-only" role="status">
        {said}
      </span>
    </>
  )
}

/** A line of text or a link, with its copy button. It is no higher than the text alone. */
export const WithCopy = ({ what, href, children }: { what: string; href?: string; children: string }) => (
  <span className="inline-flex flex-wrap items-center gap-x-2">
    <span className="min-w-0 wrap-anywhere" translate="no">
      {href ? <a href={href}>{children}</a> : children}
    </span>
    <span className="-my-2">
      <CopyButton what={what} text={children} />
    </span>
  </span>
)
