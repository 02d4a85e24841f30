/** White modules at both sides: a scanner needs them to find the first bar. */
const QUIET_ZONE = 11
const HEIGHT = 48

/**
 * The seven modules of each digit in the left half; 1 is dark. The right half inverts them. A `G` pattern is inverted and read
 * backwards.
 */
const LEFT = '0001101 0011001 0010011 0111101 0100011 0110001 0101111 0111011 0110111 0001011'.split(' ')

/** The first digit has no bars of its own: the patterns of the left half encode it. */
const PARITIES = 'LLLLLL LLGLGG LLGGLG LLGGGL LGLLGG LGGLLG LGGGLL LGLGLG LGLGGL LGGLGL'.split(' ')

const invert = (modules: string) => [...modules].map((module) => (module === '1' ? '0' : '1')).join('')
const reverse = (modules: string) => [...modules].toReversed().join('')

/** Returns the 95 modules of a valid EAN-13; 1 is dark. */
export function ean13Modules(digits: string): string {
  const [first = 0, ...others] = [...digits].map(Number)
  const codes = others.map((digit) => LEFT[digit] ?? '')
  const left = codes.slice(0, 6).map((code, at) => (PARITIES[first]?.[at] === 'G' ? reverse(invert(code)) : code))
  const right = codes.slice(6).map(invert)
  return `101${left.join('')}01010${right.join('')}101`
}

/** A barcode with its digits, dark on white in both themes. `label` is its accessible name. */
export function Ean13({ digits, label }: { digits: string; label: string }) {
  const path = [...ean13Modules(digits)].map((module, x) => (module === '1' ? `M${x} 0h1v${HEIGHT}h-1z` : '')).join('')
  return (
    // A scanner needs dark on light, whatever colours the person's system forces.
    <svg
      className="h-auto w-[18rem] max-w-full rounded-2 border border-border fill-qr-ink forced-color-adjust-none"
      role="img"
      aria-label={label}
      viewBox={`${-QUIET_ZONE} -6 ${95 + 2 * QUIET_ZONE} ${HEIGHT + 22}`}
    >
      {/* Drawn, not a background: a forced dark theme darkens backgrounds and leaves drawings as they are. */}
      <rect className="fill-qr-ground" x={-QUIET_ZONE} y={-6} width={95 + 2 * QUIET_ZONE} height={HEIGHT + 22} />
      <path d={path} shapeRendering="crispEdges" />
      <text x="47.5" y={HEIGHT + 11} textAnchor="middle" fontSize="9">
        {digits}
      </text>
    </svg>
  )
}
