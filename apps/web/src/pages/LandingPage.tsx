import { LatchkeyEmbed } from '@latchkey/react'
import type { ReactElement } from 'react'
import { CodeBlock } from '../components/CodeBlock.tsx'
import { PageLink } from '../components/PageLink.tsx'

const tenLines = `import { createLatchkey } from '@latchkey/core'
import { evm } from '@latchkey/evm'
import { ConnectButton, LatchkeyProvider } from '@latchkey/react'
import { walletConnect } from '@latchkey/walletconnect'
import { mainnet } from 'viem/chains'

const latchkey = createLatchkey({
  adapters: [evm({ chains: [mainnet] })],
  connectors: [walletConnect({ relayUrl, projectId, metadata })],
})

export const App = () => (
  <LatchkeyProvider latchkey={latchkey}>
    <ConnectButton />
  </LatchkeyProvider>
)`

const promises: ReadonlyArray<{ title: string; text: string }> = [
  {
    title: 'Fully self-hosted',
    text: 'The modal, client libraries, relay and data service are MIT-licensed and start with one command. No vendor network and no API key are required.',
  },
  {
    title: 'Light before the click',
    text: 'Your page loads a button and a listener. The modal loads when the user opens it, and a chain’s library when the user connects.',
  },
  {
    title: 'Accurate state',
    text: 'Connected means that the wallet responds. A request that may have been signed is never reported as failed.',
  },
  {
    title: 'Accessible',
    text: 'Keyboard, screen reader, 320 pixels, 200 % zoom, dark and light, left to right and right to left.',
  },
]

/** The first page of the site. `docs`: the address of the documentation. */
export function LandingPage({ docs }: { docs: string | undefined }): ReactElement {
  return (
    <>
      <section className="hero">
        <div className="hero-words">
          <h1>Wallet connections that you host yourself</h1>
          <p className="lead">
            Latchkey connects wallets to your app. You run the modal, its libraries and its relay yourself.
          </p>
          <p className="hero-links">
            <PageLink className="button primary" page="/playground">
              Open the playground
            </PageLink>
            <PageLink className="button" page="/account">
              Sign, send, switch
            </PageLink>
            {docs !== undefined && (
              <a className="button" href={docs}>
                Documentation
              </a>
            )}
          </p>
        </div>
        <div className="hero-stage">
          <LatchkeyEmbed />
        </div>
      </section>
      <section className="promises" aria-label="What you get">
        {promises.map(({ title, text }) => (
          <article key={title}>
            <h2>{title}</h2>
            <p>{text}</p>
          </article>
        ))}
      </section>
      <section className="start">
        <div>
          <h2>Ten lines to add it</h2>
          <p>No polyfill, bundler setting or stylesheet is needed. It works under a strict content security policy.</p>
          <h2>One command to run it</h2>
          <p>
            <code>npm start</code> starts chains with real contracts, the relay, the data service, a test wallet and
            this page.
          </p>
        </div>
        <CodeBlock label="App.tsx" code={tenLines} />
      </section>
    </>
  )
}
