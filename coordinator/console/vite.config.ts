import { defineConfig } from 'vite'
import { NONCE_PLACEHOLDER } from './dist.ts'

export default defineConfig({
  base: '/console/',
  html: { cspNonce: NONCE_PLACEHOLDER },
  build: {
    assetsInlineLimit: 0, // a data: URL would need a wider content policy
    modulePreload: { polyfill: false },
    target: 'es2023',
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2_000, // MapLibre, in its own chunk
    emptyOutDir: true,
  },
})
