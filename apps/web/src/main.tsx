import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { readSiteConfig } from './app/siteConfig.ts'
import './styles.css'

const root = document.querySelector('#root')
if (root === null) throw new Error('index.html has no #root.')
createRoot(root).render(
  <StrictMode>
    <App config={readSiteConfig(document)} />
  </StrictMode>,
)
