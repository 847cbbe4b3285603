import { LatchkeyProvider } from '@latchkey/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { latchkey } from './latchkey.ts'

createRoot(document.getElementById('app') ?? document.body).render(
  <StrictMode>
    <LatchkeyProvider latchkey={latchkey}>
      <App />
    </LatchkeyProvider>
  </StrictMode>,
)
