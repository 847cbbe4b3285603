import { createRoot } from 'react-dom/client'

// React and a button, the least that a page with our connect button loads.
const root = document.querySelector('#root')
if (root !== null) createRoot(root).render(<button type="button">Connect</button>)
