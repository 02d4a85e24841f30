import { build, BUILD_IDS } from './builds.ts'

export default function buildsGlobalSetup(): void {
  for (const id of BUILD_IDS) build(id)
}
