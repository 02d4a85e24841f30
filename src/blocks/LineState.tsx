import { useSnapshot } from 'valtio/react'
import { connectivity } from '../offline/page/connectivity.ts'
import { Icon } from '../ui/Icon.tsx'

/** The line, always with its word: colour alone says nothing. Announced once per change, by being a status. */
export function LineState({ wordOnPhone = false }: { wordOnPhone?: boolean }) {
  const online = useSnapshot(connectivity).verdict === 'online'
  return (
    <span className={online ? 'line' : 'line off'} role="status">
      <Icon name={online ? 'online' : 'offline'} />
      <span className={wordOnPhone ? undefined : 'phone:sr-only'}>{online ? 'Online' : 'Offline'}</span>
    </span>
  )
}
