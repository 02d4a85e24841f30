import { generate } from 'lean-qr'
import { toSvgPath } from 'lean-qr/extras/svg'
import { useMemo } from 'react'

/** Modules of white around the code: without them no camera finds its edges, on a dark page least of all. */
const QUIET = 4

interface Props {
  text: string
  label: string
}

/** Dark on white in both themes (`.qr`). Names itself by `label`. */
export function QrCode({ text, label }: Props) {
  const { path, size } = useMemo(() => {
    const code = generate(text)
    return { path: toSvgPath(code), size: code.size + 2 * QUIET }
  }, [text])
  return (
    // A camera needs dark on light, whatever colours the person's system forces.
    <svg
      className="size-[11rem] flex-none rounded-2 border border-border bg-qr-ground fill-qr-ink forced-color-adjust-none"
      role="img"
      aria-label={label}
      viewBox={`${-QUIET} ${-QUIET} ${size} ${size}`}
    >
      <path d={path} />
    </svg>
  )
}
