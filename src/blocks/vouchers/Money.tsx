import { formatCents } from '../../domain/money.ts'

/** An amount. A translator of pages leaves it as it is. */
export const Money = ({ cents }: { cents: number }) => <span translate="no">{formatCents(cents)}</span>
