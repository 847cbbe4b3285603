import { rename, writeFile } from 'node:fs/promises'

/** Writes a file so that readers see the previous content or all of the new one, never a part. */
export async function replaceFile(file: string, content: string): Promise<void> {
  const draft = `${file}.${process.pid}`
  await writeFile(draft, content)
  await rename(draft, file)
}
