import { type ComponentType, Suspense } from 'react'
import { OnItsWay } from '../OnItsWay.tsx'
import { patientPart } from './lazyWithRetry.tsx'

/**
 * A part whose file is fetched when somebody opens it. What lies under it never goes for want of that file, nor what is typed
 * there; whoever does not want to wait for the line leaves it by what `wayOut` says of its props.
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  wayOut: (props: Props) => () => void,
): ComponentType<Props> {
  const Part = patientPart(load)
  return function OnDemand(props: Props) {
    return (
      <Suspense fallback={<OnItsWay onClose={wayOut(props)} />}>
        <Part {...props} />
      </Suspense>
    )
  }
}
