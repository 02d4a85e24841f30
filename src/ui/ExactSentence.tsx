/** Amounts, serials as printed under the barcode, and receipt numbers. */
const EXACT = /(\$[\d,]+\.\d\d|\b\d \d{6} \d{6}\b|\bR-\d{6,})/

/** A sentence that page translators may translate, except its amounts and numbers. */
export const ExactSentence = ({ text }: { text: string }) =>
  text.split(EXACT).map((part, place) => (
    // oxlint-disable-next-line react/no-array-index-key -- the parts of a sentence have no other name
    <span key={place} translate={EXACT.test(part) ? 'no' : undefined}>
      {part}
    </span>
  ))
