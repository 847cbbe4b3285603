import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'
import { chromiumArguments, findHeadlessChromium } from '../../scripts/lib/chromium.mjs'

/** Resolves other sites without a network. The frame must distinguish them. */
const hostileNames = '--host-resolver-rules=MAP *.example 127.0.0.1'

/** The system's Firefox, by WebDriver BiDi. */
const firefox = {
  // Pictures add a style to the page, which its policy blocks in Firefox.
  screenshot: 'off' as const,
  browserName: 'firefox' as const,
  channel: 'moz-firefox',
  launchOptions: {
    executablePath: fileURLToPath(new URL('./e2e/engines/firefox.mjs', import.meta.url)),
    args: [],
    firefoxUserPrefs: { 'network.dns.localDomains': 'bank.example,evil.example' },
  },
}

export default defineConfig({
  testDir: './e2e',
  globalSetup: './e2e/support/world.ts',
  outputDir: '../../.latchkey/playwright',
  fullyParallel: true,
  workers: 2,
  // Generous, because a busy machine is slow, and the first operation of a smart account waits for its bundler. Only failing
  // tests take that long.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  projects: [
    { name: 'paths', testMatch: '**/*.spec.ts', grepInvert: /@long|@variant|@extended|@forced-colors/ },
    // Other errors, sizes and themes of the main paths, and further paths: `npm run test:browsers` runs them.
    { name: 'variants', testMatch: '**/*.spec.ts', grep: /@variant|@extended|@forced-colors/ },
    // Variants that take minutes: `npm run test:abuse` runs them.
    { name: 'long', testMatch: '**/*.spec.ts', grep: /@long/ },
    // The main paths in another engine, except those that look into the frame for what Firefox shows in a window, and those
    // that need the DevTools protocol of Chromium.
    {
      name: 'firefox',
      testMatch: '**/*.spec.ts',
      testIgnore: [
        '**/{canaries,axeViolations}.spec.ts',
        '**/{embeddedPages,embeddedSmart,frameArming,frameInterrupted,ownPages,signingRules}.spec.ts',
      ],
      // Variants for all engines have a second tag.
      grepInvert: /@long|@variant(?!.*@engines)|@chromium|@forced-colors/,
      use: firefox,
    },
    // Firefox can't emulate forced colors, but a preference turns them on.
    {
      name: 'firefox-forced-colors',
      testMatch: '**/*.spec.ts',
      grep: /@forced-colors/,
      use: {
        ...firefox,
        launchOptions: {
          ...firefox.launchOptions,
          firefoxUserPrefs: { ...firefox.launchOptions.firefoxUserPrefs, 'browser.display.document_color_use': 2 },
        },
      },
    },
    // Playwright can't control the system's WebKit, so these tests use WebDriver.
    { name: 'webkit', testMatch: '**/engines/webKit{Paths,Conditions}.ts' },
    // One path per engine, for the usual test run.
    { name: 'firefox-smoke', testMatch: '**/*.spec.ts', grep: /@smoke/, use: firefox },
    { name: 'webkit-smoke', testMatch: '**/engines/webKitPaths.ts', grep: /@smoke/ },
    { name: 'gallery', testMatch: '**/gallery.pictures.ts' },
    { name: 'docs', testMatch: '**/docs.pictures.ts' },
  ],
  use: {
    // Without a limit, an action that never becomes possible ends with the whole test, without a reason.
    actionTimeout: 60_000,
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    // Traces record every frame of every test, and take a third of the time: set PLAYWRIGHT_TRACE=1 to study a failure.
    trace: process.env['PLAYWRIGHT_TRACE'] === '1' ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: findHeadlessChromium(), args: [...chromiumArguments, hostileNames] },
  },
})
