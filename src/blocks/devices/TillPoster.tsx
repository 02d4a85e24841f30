import { createPortal } from 'react-dom'
import type { Enrolment } from '../../contract/devices/enrolment.ts'
import { formatLongDay, formatTime } from '../../domain/singaporeTime.ts'
import { Exact } from '../../ui/Panel.tsx'
import { QrCode } from '../../ui/QrCode.tsx'
import { useRootClass } from '../../ui/useRootClass.ts'
import { useUser } from '../accounts/useUser.ts'

export interface MadeCode extends Enrolment {
  name: string
}

const STEPS = [
  'Point the camera of the tablet or phone at the square, and open the link. Or log in there first, and enter the code.',
  'Wait until it says that this device is the till.',
  'Log in as a cashier, and scan a voucher.',
]

/** Four and four characters, because it is read and typed. */
export const spacedCode = ({ code }: MadeCode) => `${code.slice(0, 4)} ${code.slice(4)}`

/** One page of A4 with the QR code of a till, on paper only: for a tablet in another room than the screen. */
export function TillPoster({ made, link }: { made: MadeCode; link: string }) {
  const { organisation_name } = useUser()
  useRootClass('prints-poster')
  const until = new Date(made.expires_at)
  const page = (
    <section className="hidden justify-items-center gap-8 text-center print:grid" aria-hidden="true" data-poster>
      <header className="grid gap-2">
        <p className="text-xl">
          <Exact>
            {made.branch_name === organisation_name ? organisation_name : `${organisation_name}, ${made.branch_name}`}
          </Exact>
        </p>
        <h1 className="text-3xl">
          <Exact>{made.name}</Exact>
        </h1>
      </header>
      <QrCode text={link} label="Code to scan" large />
      <p className="text-2xl">
        <Exact>{spacedCode(made)}</Exact>
      </p>
      <ol className="grid list-decimal gap-3 pl-6 text-left text-xl">
        {STEPS.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p className="text-lg">{`Works once, until ${formatTime(until)} on ${formatLongDay(until)}. Then throw this page away.`}</p>
    </section>
  )
  return <div className="contents">{createPortal(page, document.body)}</div>
}
