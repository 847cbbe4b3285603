import { LatchkeyEmbed } from '@latchkey/react'
import type { ReactElement } from 'react'
import { CodeBlock } from '../parts/CodeBlock.tsx'
import { PageLink } from '../parts/PageLink.tsx'

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
    title: 'Yours, all of it',
    text: 'Modal, client libraries, relay and data service are MIT and run from one command. There is no network that you must use and no key to apply for.',
  },
  {
    title: 'Light before the click',
    text: 'A page pays for a button and a listener. The modal arrives when somebody reaches for it, a chain’s library when somebody connects.',
  },
  {
    title: 'Honest about state',
    text: 'Nothing is called connected without a wallet that answers, and nothing is called failed that may have been signed.',
  },
  {
    title: 'Made for everybody',
    text: 'Keyboard, screen reader, 320 pixels, 200 % zoom, dark and light, left to right and right to left.',
  },
]

export function LandingPage(): ReactElement {
  return (
    <>
      <section className="hero">
        <div className="hero-words">
          <h1>Let visitors in. Keep the keys to the door.</h1>
          <p className="lead">
            Latchkey connects wallets to your app: the modal, the libraries under it and the relay behind it, all of
            them yours to run.
          </p>
          <p className="hero-links">
            <PageLink className="button primary" page="/playground">
              Open the playground
            </PageLink>
            <PageLink className="button" page="/account">
              Sign, send, switch
            </PageLink>
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
          <p>No polyfill, no bundler setting, no stylesheet. It works under a strict content policy as it is.</p>
          <h2>One command to run it</h2>
          <p>
            <code>npm start</code> brings up chains with real contracts, the relay, the data service, a wallet to try
            with, and this page.
          </p>
        </div>
        <CodeBlock label="App.tsx" code={tenLines} />
      </section>
    </>
  )
}
