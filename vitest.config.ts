import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { chromiumArguments, findHeadlessChromium } from './scripts/lib/chromium.mjs'
import { isOurs } from './scripts/lib/strayErrors.mjs'
import { testTags } from './scripts/testing/longRuns.mjs'

/** Workspaces import each other's sources, so no test needs a build. */
const conditions = ['source', 'module', 'development|production']
const resolve = { conditions: [...conditions, 'browser'] }
const ssr = { resolve: { conditions: [...conditions, 'node'], externalConditions: ['source', 'node'] } }
const packedPackages = 'scripts/lib/packPackage.test.ts'
const exclude = ['**/node_modules/**', '**/dist/**', '**/.latchkey/**', '**/e2e/**']

/** These limits only end tests that hang: a busy machine can be ten times slower. No test measures durations. */
const timeouts = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } } }

/** Vitest loads the global setup in this environment, from the sources. */
const setupEnvironment = { __vitest__: { resolve: { ...ssr.resolve, noExternal: [/^@latchkey\//] } } }

/** A project of tests that run in Node.js. */
function nodeProject(
  name: string,
  {
    alias = {},
    without = [],
    ...files
  }: { include: string[]; without?: readonly string[]; isolate?: boolean; alias?: Record<string, string> },
) {
  return {
    resolve: { ...resolve, alias },
    ssr,
    environments: setupEnvironment,
    test: {
      ...files,
      ...timeouts,
      name,
      exclude: [...exclude, ...without],
      environment: 'node',
      globalSetup: ['scripts/testing/testWorld.ts'],
    },
  }
}

/** A project of tests that run in Chromium. */
function browserProject(
  name: string,
  {
    include,
    alias = {},
    bundled = [],
    globalSetup = [],
  }: { include: string[]; alias?: Record<string, string>; bundled?: string[]; globalSetup?: string[] },
) {
  return {
    plugins: [react()],
    resolve: { ...resolve, alias, dedupe: ['react', 'react-dom'] },
    environments: setupEnvironment,
    // Vite would otherwise discover them during a run and load a second copy.
    optimizeDeps: { include: ['react-dom/client', 'react-dom/server', 'axe-core', 'fast-check', ...bundled] },
    test: {
      ...timeouts,
      name,
      include,
      exclude,
      globalSetup,
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        provider: playwright({
          // A click waits until the animation of its element has ended. Tests of motion ask for it.
          contextOptions: { reducedMotion: 'reduce' },
          launchOptions: {
            executablePath: findHeadlessChromium(),
            args: chromiumArguments,
            // Scrollbars take space on Windows and Linux. Playwright hides them by default.
            ignoreDefaultArgs: ['--hide-scrollbars'],
          },
        }),
        instances: [{ browser: 'chromium' as const }],
      },
    },
  }
}

// Found while the tests run, they would reload the page.
const appDependencies = [
  '@latchkey/appkit > @wagmi/core',
  '@latchkey/appkit > vue',
  '@latchkey/solana > @solana/kit',
  '@solana/web3.js',
  '@tanstack/react-query',
  '@scure/base',
  'buffer',
  'ethers',
  'viem',
  'viem/accounts',
  'viem/actions',
  'viem/chains',
  'viem/ens',
  'viem/siwe',
  'viem/utils',
  'vitest-browser-react',
  'wagmi',
  'wagmi/chains',
  'zustand/vanilla',
]
const appAliases = {
  '@reown/appkit': '@latchkey/appkit',
  '@reown/appkit-adapter-wagmi': '@latchkey/appkit/adapter-wagmi',
  '@reown/appkit-adapter-ethers': '@latchkey/appkit/adapter-ethers',
  '@reown/appkit-adapter-ethers5': '@latchkey/appkit/adapter-ethers5',
  '@reown/appkit-adapter-solana': '@latchkey/appkit/adapter-solana',
  '@reown/appkit-adapter-bitcoin': '@latchkey/appkit/adapter-bitcoin',
  '@reown/appkit-siwe': '@latchkey/appkit/siwe',
  '@reown/appkit-siwx': '@latchkey/appkit/siwx',
  '@reown/appkit-wallet-button': '@latchkey/appkit/wallet-button',
  '@rainbow-me/rainbowkit': '@latchkey/wagmi/rainbowkit',
  connectkit: '@latchkey/wagmi/connectkit',
}

export default defineConfig({
  test: {
    onUnhandledError: isOurs,
    // A test that takes seconds runs in the command of its tag: `npm test` leaves it out.
    tags: testTags,
    // Most tests wait for a database, a chain or a browser: one worker would leave half of a small machine idle.
    maxWorkers: 2,
    // The projects load many of the same sources: one transforms them, the others read the result.
    experimental: { fsModuleCache: true },
    projects: [
      // One process runs many files of these three: loading the same packages again for each took longer than the tests.
      nodeProject('packages', {
        include: ['packages/*/src/**/*.test.ts', 'apps/{wallet,web}/src/**/*.test.ts'],
        isolate: false,
      }),
      // Composables in the oldest Vue that apps may have.
      nodeProject('vue-oldest', { include: ['packages/vue/src/**/*.test.ts'], alias: { vue: 'vue-oldest' } }),
      nodeProject('server', { include: ['server/src/**/*.test.ts'], isolate: false }),
      nodeProject('frame', { include: ['apps/frame/src/**/*.test.ts'], isolate: false }),
      nodeProject('node', {
        include: ['{devnet,faults,apps/frameworks,apps/docs}/src/**/*.test.ts', 'scripts/**/*.test.ts'],
        without: [packedPackages],
      }),
      // Packs all packages, and builds apps with them. The checks look at the packages before.
      nodeProject('long-packages', { include: [packedPackages] }),
      // Some are apps that import AppKit, RainbowKit and ConnectKit. The aliases are those of docs/appkit.md.
      browserProject('browser', {
        include: ['packages/*/src/**/*.test.tsx', 'apps/*/src/**/*.test.tsx'],
        alias: appAliases,
        bundled: appDependencies,
        globalSetup: ['scripts/testing/testChain.ts'],
      }),
      // The oldest React of the peer range, with tests of the provider and the button.
      browserProject('react-18', {
        include: [
          'packages/react/src/{lifecycle,LatchkeyEmbed,styles/ServerStyles}.test.tsx',
          'packages/react/src/button/ConnectButton.test.tsx',
        ],
        alias: { react: 'react-18', 'react-dom': 'react-dom-18' },
      }),
      // Further buttons, hooks, views that use refs and contexts, and the apps below. `npm run test:browsers` runs them.
      browserProject('long-react-18', {
        include: [
          'packages/react/src/button/buttons.test.tsx',
          'packages/react/src/hooks/**/*.test.tsx',
          'apps/web/src/hooks.test.tsx',
          'packages/react/src/modal/views/connecting/connect/*.test.tsx',
        ],
        alias: { react: 'react-18', 'react-dom': 'react-dom-18' },
        globalSetup: ['scripts/testing/testChain.ts'],
      }),
      browserProject('long-react-18-apps', {
        include: ['packages/appkit/src/{apps,elements/elements}.test.tsx', 'packages/wagmi/src/**/*.test.tsx'],
        alias: { ...appAliases, react: 'react-18', 'react-dom': 'react-dom-18' },
        bundled: appDependencies,
      }),
    ],
  },
})
