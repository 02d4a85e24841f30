import type { ReactNode } from 'react'

/** The state of an account. Vouchers have marks instead, so that the two never look alike. */
export function Badge({ tone, children }: { tone: 'success' | 'warn' | 'danger'; children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>
}
