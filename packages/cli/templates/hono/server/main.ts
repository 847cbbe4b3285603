import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { fileURLToPath } from 'node:url'
import { app } from './app.ts'
import { config } from './config.ts'

app.use('*', serveStatic({ root: fileURLToPath(new URL('../page', import.meta.url)) }))
serve({ fetch: app.fetch, port: config.port, hostname: config.host }, () => {
  console.log(`Ready at ${config.origin.origin}`)
})
