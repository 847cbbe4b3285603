import { defineConfig } from '@playwright/test'
import { chromiumArguments, findChromium } from '../../scripts/lib/chromium.mjs'

/** Other sites than the tests' own, without a network: the frame must know them apart. */
const foreignNames = '--host-resolver-rules=MAP *.example 127.0.0.1'

export default defineConfig({
  testDir: './e2e',
  globalSetup: './e2e/world.ts',
  outputDir: '../../.latchkey/playwright',
  fullyParallel: true,
  workers: 2,
  timeout: 30_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  projects: [
    { name: 'paths', testMatch: '*.spec.ts', grepInvert: /@long/ },
    // Ways that differ from others in what they wait for, and take minutes: `npm run test:abuse`.
    { name: 'long', testMatch: '*.spec.ts', grep: /@long/ },
    { name: 'gallery', testMatch: '*.pictures.ts' },
  ],
  use: {
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    trace: 'retain-on-failure',
    launchOptions: { executablePath: findChromium(), args: [...chromiumArguments, foreignNames] },
  },
})
