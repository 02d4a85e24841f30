import { useEffect, useState } from 'react'

/** `unknown`: this browser does not say before it is asked. */
export type CameraPermission = PermissionState | 'unknown'

/** What the browser would answer when the counter asks for the camera, followed while somebody changes it. */
export function useCameraPermission(): CameraPermission | undefined {
  const [permission, setPermission] = useState<CameraPermission>()
  useEffect(() => {
    const stop = new AbortController()
    askedOf().then(
      (status) => {
        if (stop.signal.aborted) return
        const follow = () => setPermission(status.state)
        follow()
        status.addEventListener('change', follow, { signal: stop.signal })
      },
      () => setPermission('unknown'),
    )
    return () => stop.abort()
  }, [])
  return permission
}

/** Not every browser has the question, and not every one that has it knows of cameras: both reject here. */
const askedOf = async () => navigator.permissions.query({ name: 'camera' as PermissionName })
