import { LatchkeyProvider } from '@latchkey/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { WagmiProvider } from 'wagmi'
import { App } from './App.tsx'
import { config } from './config.ts'
import { latchkey } from './latchkey.ts'

createRoot(document.getElementById('app') ?? document.body).render(
  <StrictMode>
    <WagmiProvider config={config}>
      <QueryClientProvider client={new QueryClient()}>
        <LatchkeyProvider latchkey={latchkey}>
          <App />
        </LatchkeyProvider>
      </QueryClientProvider>
    </WagmiProvider>
  </StrictMode>,
)
