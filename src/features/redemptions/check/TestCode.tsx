import { useState } from 'react'
import { TEST_CODE } from '../../../domain/devices/shiftCheck.ts'
import { formatInstant } from '../../../domain/singaporeTime.ts'
import { Ean13 } from '../../../ui/Ean13.tsx'
import { QrCode } from '../../../ui/QrCode.tsx'

/** As on a voucher: the square with letters and a point, which a wrong keyboard language turns into others. */
export const TestCode = () => (
  <div className="flex flex-wrap items-center justify-center gap-4">
    <QrCode text={`HRP1.${TEST_CODE}`} label="Test code as a square" />
    <Ean13 digits={TEST_CODE} label="Test code as bars" />
  </div>
)

interface TestPageProps {
  branch: string | null | undefined
  till: string | undefined
  by: string
}

/** Of the whole screen only this is printed. It can be kept beside the till, to try the hand scanner with. */
export function TestPage({ branch, till, by }: TestPageProps) {
  const [now] = useState(() => new Date())
  return (
    <div className="hidden max-w-[72mm] gap-2 print:grid">
      <b className="font-strong">Test page</b>
      <p>
        {[branch, till, by].filter(Boolean).join(' · ')}
        <br />
        {formatInstant(now)}
      </p>
      <TestCode />
      <p>This is no voucher. Scan it to try the hand scanner.</p>
    </div>
  )
}
