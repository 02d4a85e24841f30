/** Where the scanner reads: the drawing of a voucher. The camera comes to this place later. */
export function ScanHint() {
  return (
    <section className="camera" aria-label="Hand scanner">
      <div className="view">
        <svg viewBox="0 0 480 240" aria-hidden="true">
          <path d="M12 2h318a14 14 0 0 0 28 0h110a10 10 0 0 1 10 10v216a10 10 0 0 1-10 10H358a14 14 0 0 0-28 0H12a10 10 0 0 1-10-10V12a10 10 0 0 1 10-10Z" />
          <path d="M344 28v184" strokeDasharray="6 8" />
          <path d={BARS} fill="#596273" stroke="none" />
          <path d="M40 120h264" strokeWidth="3" />
        </svg>
      </div>
      <div className="cap">
        <span>Scan the barcode or QR code with the hand scanner</span>
      </div>
    </section>
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
