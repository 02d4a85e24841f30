import { useSnapshot } from 'valtio/react'
import { isDown, type ConnectivityVerdict } from '../../domain/connectivity.ts'
import { connectivity } from '../../offline/connectivity/connectivity.ts'
import { Icon } from '../../ui/Icon.tsx'

const VERDICT_LABELS: Record<ConnectivityVerdict, string> = {
  online: 'Online',
  slow: 'Slow',
  unreachable: 'Offline',
  offline: 'Offline',
}

/** The line in one word, beside its icon: colour alone says nothing. What it means stands in the banner, which is announced too. */
export function ConnectivityState({ wordOnPhone = false }: { wordOnPhone?: boolean }) {
  const { verdict } = useSnapshot(connectivity)
  return (
    <span className={verdict === 'online' ? 'line' : 'line off'}>
      <Icon name={isDown(verdict) ? 'offline' : 'online'} />
      <span className={wordOnPhone ? undefined : 'phone:sr-only'}>{VERDICT_LABELS[verdict]}</span>
    </span>
  )
}
