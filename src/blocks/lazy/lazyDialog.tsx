import { type ComponentType, Suspense } from 'react'
import { LoadingDialog } from '../OnItsWay.tsx'
import { lazyWithRetry } from './lazyWithRetry.tsx'

/**
 * A part whose file is fetched when somebody opens it. What lies under it never goes for want of that file, nor what is typed
 * there; whoever does not want to wait for the line leaves it by what `wayOut` says of its props.
 */
export function lazyDialog<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  wayOut: (props: Props) => () => void,
): ComponentType<Props> {
  const Part = lazyWithRetry(load)
  return function OnDemand(props: Props) {
    return (
      <Suspense fallback={<LoadingDialog onClose={wayOut(props)} />}>
        <Part {...props} />
      </Suspense>
    )
  }
}
