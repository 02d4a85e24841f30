import { formatCents } from '../../../domain/money.ts'
import { formatDayUnlessToday } from '../../../domain/singaporeTime.ts'
import type { Meter } from '../../../offline/allowance/allowance.ts'

/** "$38.00 of $50.00 left, until 16:20", with the day where that is not today. */
export const meterText = ({ left_cents, of_cents, ends_at }: Meter, now = new Date()): string =>
  `${formatCents(left_cents)} of ${formatCents(of_cents)} left, until ${formatDayUnlessToday(new Date(ends_at), now)}`
