import type { ReactNode } from 'react'
import { useRootClass } from './useRootClass.ts'

/** The bar that stays at the foot of a long form; messages make room for it. */
export function FormFoot({ children }: { children: ReactNode }) {
  useRootClass('has-form-foot')
  return <div className="form-foot">{children}</div>
}
