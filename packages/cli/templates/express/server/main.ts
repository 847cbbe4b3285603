import express from 'express'
import { fileURLToPath } from 'node:url'
import { app } from './app.ts'
import { config } from './config.ts'

app.use(express.static(fileURLToPath(new URL('../page', import.meta.url))))
app.listen(config.port, config.host, (error) => {
  if (error) throw error
  console.log(`Ready at ${config.origin.origin}`)
})
