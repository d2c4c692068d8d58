-- The server for Neovim 0.11 or newer: put these lines into init.lua, or `dofile` them.
vim.lsp.config("paramcheck", {
  cmd = { "paramcheck", "lsp" },
  filetypes = { "rws", "ccs", "chor", "labs" },
  root_markers = { ".git" },
})
vim.lsp.enable("paramcheck")

-- `vim.lsp.codelens.run()` on the line of a verdict shows the answer, and the trace's steps in the quickfix list.
vim.lsp.commands["paramcheck.showTrace"] = function(command, context)
  local trace = command.arguments[1]
  vim.lsp.util.open_floating_preview(vim.split(trace.text, "\n"), "text", { border = "rounded" })
  local client = vim.lsp.get_client_by_id(context.client_id)
  local items = {}
  for number, step in ipairs(trace.steps) do
    if type(step.location) == "table" then
      local item = vim.lsp.util.locations_to_items({ step.location }, client.offset_encoding)[1]
      item.text = number .. ". " .. step.text
      table.insert(items, item)
    end
  end
  vim.fn.setqflist({}, " ", { title = trace.name .. ": " .. trace.title, items = items })
end

vim.lsp.commands["paramcheck.explain"] = function(command, context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  client:request("workspace/executeCommand", command, function(_, text)
    if text then
      vim.lsp.util.open_floating_preview(vim.split(text, "\n"), "markdown", { border = "rounded" })
    end
  end)
end

-- Verdicts over errors and checks, as one types.
vim.api.nvim_create_autocmd({ "BufEnter", "InsertLeave", "TextChanged" }, {
  pattern = { "*.rws", "*.ccs", "*.chor", "*.labs" },
  callback = function(event)
    vim.lsp.codelens.refresh({ bufnr = event.buf })
  end,
})
