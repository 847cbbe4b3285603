import { afterPaint } from './afterPaint.ts'
import { holdClicks } from './holdClicks.ts'
import '../styles.css'

// The page is complete without code, so its code must not delay its first paint.
const releaseClick = holdClicks(document)
await afterPaint()
const { startApp } = await import('../app/startApp.tsx')
startApp(document, releaseClick)
