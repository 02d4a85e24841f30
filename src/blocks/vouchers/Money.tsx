import { formatCents } from '../../domain/money.ts'

/** Shows an amount. Page translators leave it unchanged. */
export const Money = ({ cents }: { cents: number }) => <span translate="no">{formatCents(cents)}</span>
