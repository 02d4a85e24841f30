import { randomUUID } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromiumLaunch } from './chromium.ts'
import { expect, testFirstVisit } from './fixtures.ts'
import { drawScene, type Scene } from './scene.ts'

/** The browser's fake camera. */
export interface Camera {
  /** From its next opening on it sees this, without end. */
  shows(scene: Scene): Promise<void>
  /** It is pulled out. */
  goesMissing(): Promise<void>
}

interface WorkerFixtures {
  /** 1 has a picture that tests choose; more have the browser's own test picture. */
  cameras: number
  cameraFile: string
}

/** Browser tests with a camera that pages may use, each in a context of its own: a shared one gives the permission up between tests. */
export const test = testFirstVisit.extend<{ camera: Camera }, WorkerFixtures>({
  permissions: ['camera'],

  cameras: [1, { scope: 'worker', option: true }],

  cameraFile: [
    // Playwright reads the dependencies of a fixture from its first parameter, which has to be a pattern.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const file = join(tmpdir(), `camera-${randomUUID()}.mjpeg`)
      await use(file)
      await rm(file, { force: true })
    },
    { scope: 'worker' },
  ],

  launchOptions: [
    async ({ cameras, cameraFile }, use) => {
      const device = `--use-fake-device-for-media-stream=device-count=${cameras}`
      const picture = cameras === 1 ? [`--use-file-for-fake-video-capture=${cameraFile}`] : []
      // Not the headless shell, which has no cameras.
      const { args, ...browser } = chromiumLaunch()
      await use({ ...browser, args: [...args, device, ...picture] })
    },
    { scope: 'worker' },
  ],

  camera: async ({ cameraFile }, use) => {
    const camera: Camera = {
      async shows(scene) {
        const frame = await drawScene(scene)
        // A moving picture of stills. The browser opens the file anew with the camera, and may have the old one open still.
        await writeFile(`${cameraFile}.new`, Buffer.concat([frame, frame, frame]))
        await rename(`${cameraFile}.new`, cameraFile)
      },
      goesMissing: () => rm(cameraFile, { force: true }),
    }
    await camera.shows({})
    await use(camera)
  },
})

export const testWithWorker = test.extend({ serviceWorkers: 'allow' })

export { expect }
