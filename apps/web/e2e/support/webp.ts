import type { Page } from '@playwright/test'

/** A picture of a recording and the time that it stays. */
export type Frame = { readonly picture: Buffer; readonly milliseconds: number }

/**
 * Encodes a picture as WebP, by the browser itself: no other program has to be installed.
 *
 * @param page an empty page of Chromium
 * @param picture PNG or JPEG
 * @param quality from 0 to 1
 */
export async function encodeWebp(page: Page, picture: Buffer, quality: number): Promise<Buffer> {
  const encoded = await page.evaluate(
    async ([data, level]) => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (each) => each.charCodeAt(0))]))
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width: bitmap.width, height: bitmap.height })
      canvas.getContext('2d', { alpha: false })?.drawImage(bitmap, 0, 0)
      return canvas.toDataURL('image/webp', level)
    },
    [picture.toString('base64'), quality] as const,
  )
  return Buffer.from(encoded.slice(encoded.indexOf(',') + 1), 'base64')
}

/** Joins pictures of one size into an animated WebP that repeats. */
export async function animateWebp(page: Page, frames: readonly Frame[], quality: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = Buffer.alloc(6)
  for (const { picture, milliseconds } of frames) {
    const still = pictureOf(await encodeWebp(page, picture, quality))
    const width = (still.readUInt16LE(14) & 0x3fff) - 1
    const height = (still.readUInt16LE(16) & 0x3fff) - 1
    size = Buffer.concat([uint24(width), uint24(height)])
    const header = Buffer.concat([Buffer.alloc(6), size, uint24(Math.round(milliseconds)), Buffer.from([0])])
    parts.push(encodeChunk('ANMF', Buffer.concat([header, still])))
  }
  const features = Buffer.concat([Buffer.from([0x02, 0, 0, 0]), size])
  const body = [Buffer.from('WEBP'), encodeChunk('VP8X', features), encodeChunk('ANIM', Buffer.alloc(6)), ...parts]
  return encodeChunk('RIFF', Buffer.concat(body))
}

function encodeChunk(name: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(content.length)
  return Buffer.concat([Buffer.from(name), length, content, Buffer.alloc(content.length % 2)])
}

/** Returns the chunk `VP8 ` of a file. The bytes 6 to 9 of its content are the width and the height. */
function pictureOf(file: Buffer): Buffer {
  for (let at = 12; at < file.length;) {
    const length = file.readUInt32LE(at + 4)
    const end = at + 8 + length + (length % 2)
    if (file.toString('latin1', at, at + 4) === 'VP8 ') return file.subarray(at, end)
    at = end
  }
  throw new Error('The file contains no lossy picture.')
}

function uint24(value: number): Buffer {
  const bytes = Buffer.alloc(3)
  bytes.writeUIntLE(value, 0, 3)
  return bytes
}
