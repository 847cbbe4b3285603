import { join } from 'node:path'
import { formatCode, formatTable } from './formatTable.ts'
import { readMembers } from './readMembers.ts'

/** A table of options: its heading, and the types that declare them, by file. */
type OptionTable = { title: string; types: ReadonlyArray<readonly [file: string, type: string]> }

const instance = 'packages/core/src/instance/options.ts'
const buttons = 'packages/react/src/button'
const button = [`${buttons}/useModalButton.ts`, 'ButtonProps'] as const

const tables: readonly OptionTable[] = [
  { title: '`createLatchkey`', types: [[instance, 'LatchkeyOptions']] },
  { title: '`features`', types: [[instance, 'Features']] },
  {
    title: '`<LatchkeyProvider>`',
    types: [['packages/react/src/LatchkeyProvider.tsx', 'LatchkeyProviderProps']],
  },
  { title: '`<ConnectButton>`', types: [[`${buttons}/ConnectButton.tsx`, 'ConnectButtonProps'], button] },
  { title: '`<NetworkButton>`', types: [[`${buttons}/NetworkButton.tsx`, 'NetworkButtonProps'], button] },
  { title: '`<AccountButton>`', types: [[`${buttons}/AccountButton.tsx`, 'AccountButtonProps'], button] },
  { title: '`<WalletButton>`', types: [[`${buttons}/WalletButton.tsx`, 'WalletButtonProps'], button] },
  { title: '`evm`', types: [['packages/evm/src/evm.ts', 'EvmOptions']] },
  { title: '`solana`', types: [['packages/solana/src/solana.ts', 'SolanaOptions']] },
  { title: '`bitcoin`', types: [['packages/bitcoin/src/bitcoin.ts', 'BitcoinOptions']] },
  { title: '`polkadot`', types: [['packages/polkadot/src/polkadot.ts', 'PolkadotOptions']] },
  {
    title: '`walletConnect`',
    types: [
      ['packages/walletconnect/src/connector/walletConnect.ts', 'WalletConnectOptions'],
      ['packages/walletconnect/src/dapp/dapp.ts', 'DappOptions'],
    ],
  },
  { title: '`embedded`', types: [['packages/embedded/src/embeddedOptions.ts', 'EmbeddedOptions']] },
  {
    title: '`latchkeyConnector`',
    types: [['packages/wagmi/src/latchkeyConnector.ts', 'LatchkeyConnectorOptions']],
  },
]

/** The page of all options, read from the types that declare them. */
export async function optionsPage(root: string): Promise<string> {
  const parts = await Promise.all(
    tables.map(async ({ title, types }) => {
      const members = await Promise.all(types.map(([file, type]) => readMembers(join(root, file), type)))
      const rows = members
        .flat()
        .map(({ name, type, isOptional, description }) => [
          `${formatCode(name)}${isOptional ? '' : ' (required)'}`,
          formatCode(type),
          description,
        ])
      return `## ${title}\n\n${formatTable(['option', 'type', 'meaning'], rows)}`
    }),
  )
  return `# Options

The options of all factories and components, generated from the types that declare them.

${parts.join('\n\n')}
`
}
