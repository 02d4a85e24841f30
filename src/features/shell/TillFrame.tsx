import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PlainFrame } from '../../blocks/page/PlainFrame.tsx'
import { buttonClass } from '../../ui/buttonClass.ts'
import { Icon } from '../../ui/Icon.tsx'

/** For a cashier there is the counter, and from every other page the way back to it. */
export function TillFrame({ children }: { children: ReactNode }) {
  return (
    <PlainFrame
      offline="This page works without one."
      end={
        <Link to="/redeem" className={buttonClass({ variant: 'quiet' })}>
          <Icon name="left" />
          Counter
        </Link>
      }
    >
      <div className="main">
        <div className="page">{children}</div>
      </div>
    </PlainFrame>
  )
}
