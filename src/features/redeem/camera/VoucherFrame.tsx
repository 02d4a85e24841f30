/** The drawing of a voucher: where the scanner reads. Over a picture only its edge is drawn, so that nothing lies across the code. */
export function VoucherFrame({ bare }: { bare: boolean }) {
  return (
    <svg viewBox="0 0 480 240" aria-hidden="true">
      <path d="M12 2h318a14 14 0 0 0 28 0h110a10 10 0 0 1 10 10v216a10 10 0 0 1-10 10H358a14 14 0 0 0-28 0H12a10 10 0 0 1-10-10V12a10 10 0 0 1 10-10Z" />
      {!bare && (
        <>
          <path d="M344 28v184" strokeDasharray="6 8" />
          <path d={BARS} className="bars" />
          <path d="M40 120h264" strokeWidth="3" />
        </>
      )}
    </svg>
  )
}

/** Widths and gaps of a barcode's bars, left to right, in units of 2.3. */
const WIDTHS = [1, 1, 2, 1, 2, 1, 3, 1, 1, 1, 4, 1, 1, 3, 1, 1, 2, 2, 3, 1, 2, 1, 2, 1, 1, 1, 1, 2, 2]
const GAPS = [1, 3, 1, 3, 1, 2, 1, 3, 2, 1, 1, 2, 1, 1, 1, 1, 1, 2, 2, 1, 2, 1, 2, 2, 3, 1, 4, 1]

const BARS = WIDTHS.reduce(
  ({ path, x }, width, index) => ({
    path: `${path}M${(60 + x * 2.3).toFixed(1)} 84h${(width * 2.3).toFixed(1)}v72h-${(width * 2.3).toFixed(1)}z`,
    x: x + width + (GAPS[index] ?? 0),
  }),
  { path: '', x: 0 },
).path
