import { generate } from 'lean-qr'
import { toSvgPath } from 'lean-qr/extras/svg'
import { useMemo } from 'react'

/** White modules around the code: a camera needs them to find its edges, above all on a dark page. */
const QUIET_ZONE = 4

interface Props {
  text: string
  label: string
  /** For paper that is read from a distance. */
  large?: true
}

/** A QR code, dark on white in both themes (`.qr`). `label` is its accessible name. */
export function QrCode({ text, label, large }: Props) {
  const { path, size } = useMemo(() => {
    const code = generate(text)
    return { path: toSvgPath(code), size: code.size + 2 * QUIET_ZONE }
  }, [text])
  return (
    // A camera needs dark on light, whatever colours the person's system forces.
    <svg
      className={`${large ? 'size-[90mm]' : 'size-[11rem]'} flex-none rounded-2 border border-border fill-qr-ink forced-color-adjust-none`}
      role="img"
      aria-label={label}
      viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${size} ${size}`}
    >
      {/* Drawn, not a background: a forced dark theme darkens backgrounds and leaves drawings as they are. */}
      <rect className="fill-qr-ground" x={-QUIET_ZONE} y={-QUIET_ZONE} width={size} height={size} />
      <path d={path} />
    </svg>
  )
}
