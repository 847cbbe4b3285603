import files from '@fastify/static'
import { fileURLToPath } from 'node:url'
import { app } from './app.ts'
import { config } from './config.ts'

await app.register(files, { root: fileURLToPath(new URL('../page', import.meta.url)) })
await app.listen({ host: config.host, port: config.port })
console.log(`Ready at ${config.origin.origin}`)
