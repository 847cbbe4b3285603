/** A group of the sidebar. A page is named by its source: a file of the repository, or `reference/…` if it is generated. */
export type Section = { title: string; pages: readonly string[] }

/** The first page. It is not in the sidebar. */
export const home = 'apps/docs/home.md'

/** Generated pages that list the pages of a folder. */
export const decisionList = 'docs/decisions/README.md'
export const reportList = 'reference/api/README.md'

/** Titles for the sidebar where those of the pages don't say enough. */
export const shortTitles: Readonly<Record<string, string>> = {
  [decisionList]: 'All decisions',
  'docs/frameworks.md': 'All frameworks',
  'docs/wagmi.md': 'wagmi in detail',
  'docs/reference.md': 'Functions',
  'docs/views.md': 'Pictures of the views',
  'packages/testkit/README.md': 'Testing',
  'server/README.md': 'The server',
  'CONTRIBUTING.md': 'Contributing',
}

/**
 * The sidebar, in the order in which a reader needs the pages. Decisions and API reports have lists of their own.
 */
export const sections: readonly Section[] = [
  {
    title: 'Start',
    pages: [
      'docs/start/react.md',
      'docs/start/next.md',
      'docs/start/react-router.md',
      'docs/start/astro.md',
      'docs/start/vue.md',
      'docs/start/svelte.md',
      'docs/start/plain-page.md',
      'docs/start/wagmi.md',
      'docs/start/ethers.md',
      'docs/start/solana.md',
      'docs/start/sign-in-server.md',
      'docs/start/local-world.md',
    ],
  },
  {
    title: 'Guides',
    pages: [
      'docs/connecting.md',
      'docs/hooks.md',
      'docs/frameworks.md',
      'docs/theming.md',
      'docs/languages.md',
      'docs/sign-in.md',
      'docs/money.md',
      'docs/names.md',
      'docs/onramp.md',
      'docs/embedded-wallet.md',
      'packages/testkit/README.md',
      'docs/content-security-policy.md',
      'docs/appkit.md',
      'docs/from-rainbowkit.md',
      'docs/from-connectkit.md',
      'docs/from-privy.md',
      'docs/wagmi.md',
      'docs/universal-provider.md',
      'docs/views.md',
      'docs/speed.md',
      'docs/browsers.md',
    ],
  },
  {
    title: 'Operate',
    pages: ['docs/operate.md', 'server/README.md', 'docs/relay.md', 'docs/data.md', 'docs/metrics.md'],
  },
  {
    title: 'Reference',
    pages: [
      'reference/options',
      'reference/hooks',
      'docs/reference.md',
      'docs/errors.md',
      'reference/events',
      'reference/views',
      'reference/messages',
      reportList,
      'docs/behaviour.md',
      'docs/deviations.md',
      'docs/embedded-protocol.md',
      'docs/glossary.md',
    ],
  },
  {
    title: 'Decisions',
    pages: [
      decisionList,
      'docs/architecture.md',
      'docs/how-a-connection-is-made.md',
      'docs/how-a-message-is-relayed.md',
    ],
  },
  {
    title: 'Packages',
    pages: [
      'packages/core/README.md',
      'packages/react/README.md',
      'packages/vue/README.md',
      'packages/svelte/README.md',
      'packages/elements/README.md',
      'packages/script/README.md',
      'packages/wagmi/README.md',
      'packages/appkit/README.md',
      'packages/evm/README.md',
      'packages/solana/README.md',
      'packages/bitcoin/README.md',
      'packages/polkadot/README.md',
      'packages/walletconnect/README.md',
      'packages/embedded/README.md',
      'packages/verify/README.md',
      'packages/cli/README.md',
      'packages/latchkey-frame/README.md',
      'packages/modal/README.md',
      'packages/adapter-kit/README.md',
      'packages/protocol/README.md',
    ],
  },
  {
    title: 'Contribute',
    pages: [
      'CONTRIBUTING.md',
      'docs/security-cases.md',
      'docs/mutation-testing.md',
      'devnet/README.md',
      'faults/README.md',
      'apps/frame/README.md',
      'apps/vanilla/README.md',
      'apps/wallet/README.md',
      'apps/docs/README.md',
    ],
  },
]
