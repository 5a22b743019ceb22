-- Asks the language server for all that Neovim does with it, and prints the answers; by hand, with Neovim 0.11 or newer:
--   nvim --headless -c "luafile editors/check_neovim.lua" rulesets/klondike.yaml
vim.lsp.config("hoyle", { cmd = { "hoyle", "lsp" }, filetypes = { "yaml" }, root_markers = { ".git" } })
vim.lsp.enable("hoyle")
vim.cmd.edit()

local buffer = vim.api.nvim_get_current_buf()
local function client()
  return vim.lsp.get_clients({ bufnr = buffer })[1]
end
local function say(what, found)
  io.stdout:write(what, ": ", (vim.inspect(found):gsub("%s+", " "):sub(1, 300)), "\n")
end
local function ask(method, row, column, more)
  local document = vim.lsp.util.make_text_document_params(buffer)
  local params = { textDocument = document, position = { line = row, character = column } }
  local answer = client():request_sync(method, vim.tbl_extend("force", params, more or {}), 10000, buffer)
  return answer and (answer.err or answer.result)
end

if not vim.wait(10000, function() return client() ~= nil and client().initialized end) then
  say("no server", vim.lsp.get_log_path())
  vim.cmd("cquit")
end
local row = vim.fn.search("^terms:", "nw") -- the line below it, counted from nought, is the first term
for method, more in pairs({ hover = {}, definition = {}, references = { context = { includeDeclaration = true } }, rename = { newName = "another_name" } }) do
  say(method, ask("textDocument/" .. method, row, 3, more))
end
local offered = ask("textDocument/completion", row, 20)
say("completion", #(offered.items or offered))
say("outline", #ask("textDocument/documentSymbol", 0, 0))
vim.api.nvim_buf_set_lines(buffer, row, row, false, { "  wrong: no_such_name" })
vim.wait(10000, function()
  return vim.iter(vim.diagnostic.get(buffer)):any(function(problem) return problem.message:find("no_such_name") ~= nil end)
end)
for _, problem in ipairs(vim.diagnostic.get(buffer)) do
  say("problem in line " .. problem.lnum + 1, problem.message)
end
vim.cmd("qa!")
