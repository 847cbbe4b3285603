/**
 * Draws an image in a browser.
 *
 * @param {import('playwright').Page} page
 * @param {string} uri
 * @param {number} size in pixels
 * @returns {Promise<string>} WebP in Base64
 */
export async function renderWebp(page, uri, size) {
  const result = await page.evaluate(
    async ({ uri, size }) => {
      const image = new Image(size, size)
      image.src = uri
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = size
      canvas.height = size
      canvas.getContext('2d')?.drawImage(image, 0, 0, size, size)
      return canvas.toDataURL('image/webp', size < 100 ? 0.6 : 0.86)
    },
    { uri, size },
  )
  return result.replace('data:image/webp;base64,', '')
}

/**
 * Encodes a drawing as a data URI.
 *
 * @param {string} svg
 */
export function toSvgUri(svg) {
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}
