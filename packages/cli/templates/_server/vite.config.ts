import { defineConfig, type Plugin } from 'vite'
import { config } from './server/config.ts'

/** Serves /api with the code in server/, which is reloaded on change. In production, server/main.ts serves everything. */
const api: Plugin = {
  name: 'api',
  configureServer(vite) {
    vite.middlewares.use('/api', async (request, response, next) => {
      try {
        const { handle } = await vite.ssrLoadModule('/server/app.ts')
        // Vite removes the prefix of a middleware.
        request.url = request.originalUrl
        await handle(request, response)
      } catch (error) {
        next(error)
      }
    })
  },
}

// A sign-in names the port of the page, so another port than the configured one would be refused.
export default defineConfig({ plugins: [api], server: { host: config.host, port: config.port, strictPort: true } })
