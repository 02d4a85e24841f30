import { useUser } from '../../blocks/accounts/useUser.ts'
import { useCurrentMinute } from '../../blocks/cached/useCurrentMinute.ts'
import { formatInstant } from '../../domain/singaporeTime.ts'
import { Exact } from '../../ui/Panel.tsx'

/** Says on paper whose page it is, and when it was printed by whom. A receipt has its own head. */
export function PaperHead() {
  const { organisation_name, branch_name, login_name } = useUser()
  const now = useCurrentMinute()
  return (
    <div className="mb-4 hidden justify-between gap-4 border-b border-border pb-2 in-[.prints-page]:hidden! print:flex">
      <p className="font-strong wrap-anywhere" translate="no">
        {[organisation_name, branch_name].filter(Boolean).join(', ')}
      </p>
      <p className="max-w-[60%] flex-none text-right wrap-anywhere text-muted">
        <span>{`Printed ${formatInstant(now)} by `}</span>
        <Exact>{login_name}</Exact>
      </p>
    </div>
  )
}
