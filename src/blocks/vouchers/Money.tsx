import { formatCents } from '../../domain/money.ts'

/** An amount. A translator of pages leaves it as it is. */
export const Money = ({ cents }: { cents: number }) => <span translate="no">{formatCents(cents)}</span>

const AMOUNT = /(\$[\d,]+\.\d\d)/

/** A sentence about money, whose words a translator may change, and its amounts not. */
export const MoneySentence = ({ text }: { text: string }) =>
  text.split(AMOUNT).map((part, place) => (
    // oxlint-disable-next-line react/no-array-index-key -- the parts of a sentence have no other name
    <span key={place} translate={AMOUNT.test(part) ? 'no' : undefined}>
      {part}
    </span>
  ))
