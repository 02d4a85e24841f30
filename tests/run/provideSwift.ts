import { swiftIsInstalled } from '../support/uploads/swift.ts'
import { installDebianPackages } from './installDebianPackages.ts'

/** Finds OpenStack Swift or installs its library, which starts nothing by itself; answers what is missing otherwise. */
export async function provideSwift(): Promise<string | undefined> {
  if (swiftIsInstalled()) return undefined
  const failure = await installDebianPackages('python3-swift')
  return failure && `OpenStack Swift: ${failure}`
}
