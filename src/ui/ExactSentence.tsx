/** Amounts, serials as printed under the barcode, and the numbers of receipts. */
const EXACT = /(\$[\d,]+\.\d\d|\b\d \d{6} \d{6}\b|\bR-\d{6,})/

/** A sentence whose words a translator of pages may change, and its amounts and numbers not. */
export const ExactSentence = ({ text }: { text: string }) =>
  text.split(EXACT).map((part, place) => (
    // oxlint-disable-next-line react/no-array-index-key -- the parts of a sentence have no other name
    <span key={place} translate={EXACT.test(part) ? 'no' : undefined}>
      {part}
    </span>
  ))
