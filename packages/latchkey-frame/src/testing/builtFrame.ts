import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openFrameSite, type FrameSite } from '@latchkey/server/testing'

export const projectId = 'a'.repeat(32)
export const services = {
  auth: 'https://auth.example',
  shares: 'https://shares.example',
  server: 'https://api.example',
}

const page = '<script type="application/json" id="latchkey-config">{}</script><script src="/assets/main-1.js"></script>'
const contents = {
  'sdk/index.html': page,
  'account/index.html': page,
  'export/index.html': page,
  'popup/index.html': '<script src="/assets/main-1.js"></script>',
  'assets/main-1.js': 'export {}',
  'assets/kdf-1.js': 'export {}',
  'assets/frame-1.css': 'body {}',
}

/** A small build of a frame in a folder of its own, as the real build writes it. */
export type BuiltFrame = {
  readonly folder: string
  readonly manifest: string
  /** Writes a file without its hash in the manifest. */
  write(path: string, content: string): Promise<void>
  /** Writes the manifest of the given files. */
  list(files: Readonly<Record<string, string>>): Promise<void>
  /** Serves the folder with the real server. */
  serve(addresses?: typeof services & { farcasterRelay?: string }): Promise<FrameSite>
  remove(): Promise<void>
}

export async function createBuiltFrame(): Promise<BuiltFrame> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-built-'))
  const write = async (path: string, content: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  const list = (files: Readonly<Record<string, string>>): Promise<void> => {
    const hashes = Object.entries(files).map(([path, text]) => [path, createHash('sha256').update(text).digest('hex')])
    return write('manifest.json', JSON.stringify({ release: '0.1.0', files: Object.fromEntries(hashes) }))
  }
  for (const [path, content] of Object.entries(contents)) await write(path, content)
  await list(contents)
  return {
    folder,
    manifest: join(folder, 'manifest.json'),
    write,
    list,
    serve: (addresses = services) =>
      openFrameSite({
        dir: folder,
        host: '127.0.0.1',
        port: 0,
        publicUrl: undefined,
        networks: [],
        addresses,
        embedders: (id) => (id === projectId ? ['https://app.example'] : undefined),
      }),
    remove: () => rm(folder, { recursive: true }),
  }
}
